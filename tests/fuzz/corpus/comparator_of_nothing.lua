table.sort { 1, "2", {} }
