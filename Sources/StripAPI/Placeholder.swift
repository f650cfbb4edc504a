// StripAPI
