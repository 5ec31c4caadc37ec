// Package fluid simulates a liquid with a free surface that pushes rigid bodies and is
// pushed by them, on an adaptive grid, within a time budget.
//
// A [Def] describes the liquid, [New] makes it, [Liquid.Step] advances it. Everything else
// — filling, draining, obstacles, emitters, bodies, the camera — may change between any
// two steps. The package draws nothing and needs neither cgo nor a screen.
//
// Units are SI throughout: metres, seconds, kilograms, newtons, pascals; litres only where
// a name says so. Vectors are gonum's r3.Vec.
package fluid
