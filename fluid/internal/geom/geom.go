// Package geom is the geometry of points, triangles and boxes that several rooms need: nearest points, rays, winding numbers, volumes, welding, and trees
// of boxes and of triangles. Union-find stands here too. The package knows neither liquid nor cells.
//
// Lengths are in any one unit. Triangles are counter-clockwise seen from outside. All functions give the same bits on every machine. Types that keep
// slices allocate nothing once these are long enough.
package geom
