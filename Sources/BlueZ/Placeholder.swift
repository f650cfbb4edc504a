// BlueZ
