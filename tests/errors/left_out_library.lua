local path = os.getenv("HOME")
