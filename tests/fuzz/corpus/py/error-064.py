import os.
