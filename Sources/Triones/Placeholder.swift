// Triones
