// StripModel
