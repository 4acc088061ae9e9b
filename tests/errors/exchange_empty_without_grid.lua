return spec "test" { exchange "e" {} }
