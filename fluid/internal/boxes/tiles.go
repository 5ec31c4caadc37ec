package boxes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Tiles are equal cubes that stand side by side from Origin on, numbered x fastest.
type Tiles struct {
	Origin [3]float64
	Edge   float64
	Dim    [3]int // how many stand along X, Y and Z
}

// Len is how many there are.
func (t *Tiles) Len() int { return t.Dim[0] * t.Dim[1] * t.Dim[2] }

// Whole is the box of all tiles.
func (t Tiles) Whole() r3.Box {
	lo := t.Corner(0)
	return r3.Box{Min: lo, Max: r3.Vec{X: lo.X + float64(t.Edge*float64(t.Dim[0])), Y: lo.Y + float64(t.Edge*float64(t.Dim[1])), Z: lo.Z + float64(t.Edge*float64(t.Dim[2]))}}
}

// Corner is a tile's low corner.
func (t *Tiles) Corner(i int32) r3.Vec {
	x, y := int(i)%t.Dim[0], int(i)/t.Dim[0]
	z := y / t.Dim[1]
	y %= t.Dim[1]
	return r3.Vec{X: t.Origin[0] + float64(t.Edge*float64(x)), Y: t.Origin[1] + float64(t.Edge*float64(y)), Z: t.Origin[2] + float64(t.Edge*float64(z))}
}

// Centre is a tile's middle.
func (t *Tiles) Centre(i int32) r3.Vec {
	half := float64(t.Edge / 2)
	return r3.Add(t.Corner(i), r3.Vec{X: half, Y: half, Z: half})
}

// inTiles is a place in tiles from the low corner of all.
func (t *Tiles) inTiles(x r3.Vec) [3]float64 {
	s := 1 / t.Edge
	return [3]float64{float64((x.X - t.Origin[0]) * s), float64((x.Y - t.Origin[1]) * s), float64((x.Z - t.Origin[2]) * s)}
}

// At is the tile that a place is in, or the nearest.
func (t *Tiles) At(x r3.Vec) int32 {
	var at [3]int
	for a, v := range t.inTiles(x) {
		switch {
		case !(v > 0):
		case v >= float64(t.Dim[a]):
			at[a] = t.Dim[a] - 1
		default:
			at[a] = int(v)
		}
	}
	return t.number(at[0], at[1], at[2])
}

func (t *Tiles) number(x, y, z int) int32 { return int32(x + t.Dim[0]*(y+t.Dim[1]*z)) }

// Range is where the tiles that a box overlaps stand, or those nearest to it: lo to hi, both included.
func (t *Tiles) Range(b r3.Box) (lo, hi [3]int) {
	from, to := t.inTiles(b.Min), t.inTiles(b.Max)
	for a := range 3 {
		lo[a] = int(max(0, min(float64(t.Dim[a]-1), math.Floor(from[a]))))
		hi[a] = int(max(0, min(float64(t.Dim[a]-1), math.Floor(to[a]))))
	}
	return lo, hi
}

// Each calls visit for the tiles of [Tiles.Range], in order.
func (t *Tiles) Each(b r3.Box, visit func(i int32)) {
	lo, hi := t.Range(b)
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				visit(t.number(x, y, z))
			}
		}
	}
}
