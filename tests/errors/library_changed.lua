local text = "abc"
function string.trim(s) return s end
return spec "test" { exchange "e" {} }
