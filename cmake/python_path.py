"""Prints the folder in which this Python looks for modules that were installed below a prefix."""
import os
import site
import sys
import sysconfig

prefix = os.path.abspath(sys.argv[1])
own = [folder for folder in site.getsitepackages() if prefix != "/usr" and folder.startswith(prefix + "/")]
if own:
    print(own[0])
else:
    # A distribution has one folder for all its versions of Python below /usr; any other prefix has the usual one.
    system = prefix == "/usr" and "deb_system" in sysconfig.get_scheme_names()
    names = {"base": prefix, "platbase": prefix}
    print(sysconfig.get_path("purelib", "deb_system" if system else "posix_prefix", names))
