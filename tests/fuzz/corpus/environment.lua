_ENV._G = _ENV
