package wasi

// Portable is whether os.Root does all of the work in this build.
const Portable = portable
