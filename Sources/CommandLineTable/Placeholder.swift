// CommandLineTable
