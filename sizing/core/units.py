"""Units of the core and the conversions to them. Vendor units end at `sizing/inputs.py`."""

KB = 10**3
MB = 10**6
GB = 10**9
TB = 10**12
KIB = 2**10
MIB = 2**20
GIB = 2**30

GBIT_BYTES = 125_000_000  # bytes in 10^9 bits
TFLOP = 1e12

MS_PER_S = 1e3
SECONDS_PER_HOUR = 3600
HOURS_PER_YEAR = 8760
