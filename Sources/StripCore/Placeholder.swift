// StripCore
