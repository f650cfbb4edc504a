// VirtualBlueZ
