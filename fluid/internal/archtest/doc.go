// Package archtest has no code to import. Its tests hold the module to its package tree: which package
// may import which, what may be imported from outside, and what may lie in the module's root. They
// also hold fluid and physics to functions that give the same bits on every machine, and parts to know nothing of the whole that has them.
package archtest
