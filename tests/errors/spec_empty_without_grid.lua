return spec "test" {}
