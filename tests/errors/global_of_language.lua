type = "double"
return spec "test" { exchange "e" {} }
