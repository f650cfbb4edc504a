// StripCommands
