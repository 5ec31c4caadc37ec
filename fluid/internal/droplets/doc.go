// Package droplets has the liquid that no grid holds: the spray that a surface tracker can't resolve any more, and the drops of emitters whose
// rate is too low for the grid. It knows neither a grid nor a surface: what it asks solids and liquid for are the interfaces Medium and
// Surroundings.
package droplets
