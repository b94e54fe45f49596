// Package inspect is the floor on which packages are looked at: what the engine
// reports is recorded, checked against the rules, and put into words, without a
// terminal. The rooms below it do the work. The package itself holds no code:
// its tests hold each rule of the ledger, from a package's bytes to its finding,
// to a case that breaks it and to a neighbouring one that keeps it.
package inspect
