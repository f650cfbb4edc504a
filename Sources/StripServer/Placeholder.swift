// StripServer
