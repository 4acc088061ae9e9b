local x = "\
