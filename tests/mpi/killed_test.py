"""killed_test.py COMMAND...: COMMAND FOLDER, one of whose ranks is killed, ends with an error and leaves no file of ours. That it ends at
all is seen by the time limit of the test."""
import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    code = subprocess.run([*sys.argv[1:], folder]).returncode
    left = os.listdir(folder)
assert left == ["killed"], f"left in the scratch folder: {left}"  # the last word of the rank that was killed
assert code != 0, "the job ended as if nothing had happened"
