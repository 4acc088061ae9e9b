error("\nevil.lua:1: error: not said by halogen\n\27[31mred\7\0\u{202E}")
