-- Names that a spec cannot have where Python is asked for: its keywords, and what objects of the package have already.

local python_names = {}

local function set(words)
  local out = {}
  for word in string.gmatch(words, "%S+") do out[word] = true end
  return out
end

local keywords = set [[False None True and as assert async await break class continue def del elif else except finally for
  from global if import in is lambda nonlocal not or pass raise return try while with yield]]

-- NAME.py would hide a module of the same name from all that imports it, where its folder is looked into before: the package,
-- NumPy, other modules.  Those of Python 3.11 and 3.14, but for `wave`, which reads files of sound and which others do without:
-- tests/python/test_names.py compares the list with Python's own.
local modules = set [[abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
  calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib
  contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest
  email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc
  genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp
  importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math
  mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator
  optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
  profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
  rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
  socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess
  sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit
  tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
  urllib uu uuid venv warnings weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
  zoneinfo]]
local packages = set "halogen mpi4py numpy"

-- What would hide, or be hidden by: fields are attributes of halogen.Arrays and parameters of calls, exchanges attributes of
-- halogen.Halo.  tests/python/test_names.py compares the lists with the classes.
local members = {
  field = { title = "a member of halogen.Arrays, or a parameter of its exchanges",
    names = set "address arrays at axis by_name free more named owned positional self stream" },
  exchange = { title = "a member of halogen.Halo",
    names = set [[address alloc arrays blocks cells close closed comm create_like describe describe_json empty extents file_passes file_type first gather gather_selected is_open memory_type n plane points rank rebalance redistribute
      register scatter scatter_selected set_boundary several spec stats traffic unregister]] },
}

-- Why Python cannot have a name of this kind, or nil: "is a word of Python".
function python_names.problem(kind, name)
  if kind == "vector" then return nil end
  kind = kind == "cycle" and "exchange" or kind -- both are attributes
  if keywords[name] then return "is a word of Python" end
  if kind == "spec" and (modules[name] or packages[name]) then
    return ("is %s, which %s.py would hide"):format(packages[name] and "a package that it needs" or "a module of Python", name)
  end
  local taken = members[kind]
  if taken and taken.names[name] then return "is " .. taken.title end
end

-- Names of C functions and tables that NAME_python.c has besides.
function python_names.of_spec(spec)
  local out = {}
  for i, ending in ipairs { "mpi", "sizes", "int", "and", "comm" } do out[i] = spec .. "_python_" .. ending end
  return out
end

return python_names
