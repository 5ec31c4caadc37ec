// Package fused has one sum that a compiler may round once with the product in it, and one that it may not.
package fused

func Once(x, y, z float64) float64 { return x*y + z }

func Twice(x, y, z float64) float64 { return float64(x*y) + z }
