package droplets

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/shapes"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Drop is a sphere of liquid.
type Drop struct {
	X, V   r3.Vec  // m, m/s
	Volume float64 // m³
}

// Radius returns the radius of the sphere, m.
func (p *Drop) Radius() float64 { return reproducible.Cbrt(p.Volume * 3 / (4 * math.Pi)) }

// Drops are the drops of emitters whose rate is too low for the grid, in the order in which they came. They fall freely until they
// join the liquid, leave the domain, or lie on a solid. Drops that lie close to each other merge, and become liquid on the grid as soon as it
// resolves them. Their volume counts as held from the start.
type Drops struct {
	Config
	All    []Drop
	Volume float64 // of all, m³
	Joined []Drop  // those that met liquid in the last Fall
	Left   []Drop  // those that left the domain in the last Fall

	kept        []Drop       // at the last Keep
	lying       []int32      // indices of drops that lie on something
	head        []int32      // per region: index in lying of the last drop there, or -1
	next        []int32      // per index in lying: the previous drop in the same region, or -1
	lyingVolume []float64    // scratch of AppendPuddles, per region: volume that lies there, m³
	pts         []r3.Vec     // scratch: places
	dist        []float32    // scratch: distances at pts
	inLiquid    []bool       // scratch: whether pts are in liquid
	lies        []bool       // scratch: whether drops lie on something
	probe       shapes.Probe // scratch
}

// Config is constant after New.
type Config struct {
	CellSize float64 // the finest cells' edge, m
	Gap      float64 // least distance of drops from solids, m
	MaxSpeed float64 // the drops' greatest speed, m/s
	Domain   r3.Box  // m
	Regions
}

// Regions divide the space into cubes. Drops merge only with those in the same cube.
type Regions struct {
	Origin [3]float64 // m
	Edge   float64    // of a cube, m
	Dim    [3]int     // cubes along each axis
}

// count returns the number of regions.
func (r *Regions) count() int { return r.Dim[0] * r.Dim[1] * r.Dim[2] }

// Middle returns the middle of a region, m.
func (r *Regions) Middle(i int) r3.Vec {
	at := func(n, a int) float64 { return r.Origin[a] + float64(r.Edge*(float64(n)+.5)) }
	return r3.Vec{X: at(i%r.Dim[0], 0), Y: at(i/r.Dim[0]%r.Dim[1], 1), Z: at(i/r.Dim[0]/r.Dim[1], 2)}
}

// regionAt returns the region that a place is in, or the nearest one.
func (r *Regions) regionAt(x r3.Vec) int32 {
	inv := 1 / r.Edge
	at := func(v float64, a int) int {
		v = float64((v - r.Origin[a]) * inv)
		if !(v > 0) {
			return 0
		}
		return int(min(v, float64(r.Dim[a]-1)))
	}
	return int32(at(x.X, 0) + r.Dim[0]*(at(x.Y, 1)+r.Dim[1]*at(x.Z, 2)))
}

// Surroundings are the forces, solids and liquid around drops.
type Surroundings interface {
	// Acceleration returns the acceleration by gravity and fields at a place, m/s².
	Acceleration(x r3.Vec) r3.Vec
	// SolidDistance returns a lower bound of the distance from a place to the nearest solid, m; negative in a solid.
	SolidDistance(x r3.Vec) float64
	// InLiquid sets dst to whether each place, m, is in liquid.
	InLiquid(dst []bool, pts []r3.Vec)
	// Fill puts about a volume, m³, into the grid around a place, and returns the volume that the grid took: 0 if it can't resolve it.
	Fill(x r3.Vec, volume float64) (took float64)
}

const (
	// MaxDrops is the greatest number of drops.
	MaxDrops = 20_000
	// LeastVolume is the volume, m³, of the smallest drop that falls from an emitter: a twentieth of a millilitre drips from a tap.
	LeastVolume = 5e-8
	// dropEdge, in finest cells, is the edge of a cube with the volume of the largest drop from an emitter, unless that takes more than mostDrops at
	// once.
	dropEdge  = .6
	mostDrops = 16
)

// Add adds a drop.
func (d *Drops) Add(x, v r3.Vec, volume float64) {
	d.All = append(d.All, Drop{x, v, volume})
	d.Volume += volume
}

// sumVolume updates Volume.
func (d *Drops) sumVolume() {
	d.Volume = 0
	for i := range d.All {
		d.Volume += d.All[i].Volume
	}
}

// removeEmpty removes the drops without volume.
func (d *Drops) removeEmpty() {
	n := 0
	for i := range d.All {
		if d.All[i].Volume > 0 {
			d.All[n] = d.All[i]
			n++
		}
	}
	d.All = d.All[:n]
}

// Clear removes all drops.
func (d *Drops) Clear() { d.All, d.Volume = d.All[:0], 0 }

// HasRoom reports whether n drops can be added.
func (d *Drops) HasRoom(n int) bool { return len(d.All)+n <= MaxDrops }

// Moving reports whether some drop moves.
func (d *Drops) Moving() bool {
	for i := range d.All {
		if d.All[i].V != (r3.Vec{}) {
			return true
		}
	}
	return false
}

// Release adds drops of a volume, m³, in all, with a velocity, m/s, side by side in a shape. Their places follow from a seed; a drop for which no place without
// a solid is found starts at middle, m. Release returns false, and adds nothing, if there would be too many drops.
func (d *Drops) Release(shape shapes.SDF, middle r3.Vec, volume float64, velocity r3.Vec, seed uint64, s Surroundings) bool {
	edge := dropEdge * d.CellSize
	n := int(max(1, min(mostDrops, math.Ceil(volume/float64(edge*edge*edge)))))
	if !d.HasRoom(n) {
		return false
	}
	seed, each := SplitMix64(seed), volume/float64(n)
	for k := range n {
		d.Add(d.placeIn(shape, middle, seed+uint64(k), s), velocity, each)
	}
	return true
}

// SplitMix64 returns a hash of x.
// Source: Steele, Lea, Flood 2014, SplitMix64.
func SplitMix64(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// placeIn returns a random place in a shape outside of solids, or else middle.
func (d *Drops) placeIn(shape shapes.SDF, middle r3.Vec, seed uint64, s Surroundings) r3.Vec {
	const tries = 8
	box := shape.Bounds()
	box = r3.Box{Min: boxes.Max(box.Min, d.Domain.Min), Max: boxes.Min(box.Max, d.Domain.Max)}
	size := r3.Sub(box.Max, box.Min)
	d.pts = d.pts[:0]
	for range tries {
		seed = SplitMix64(seed)
		part := func(bits uint64) float64 { return float64(bits&(1<<20-1)) / (1 << 20) }
		d.pts = append(d.pts, r3.Vec{X: box.Min.X + float64(part(seed)*size.X), Y: box.Min.Y + float64(part(seed>>20)*size.Y), Z: box.Min.Z + float64(part(seed>>40)*size.Z)})
	}
	d.evaluate(shape)
	for i, x := range d.pts {
		if d.dist[i] < 0 && boxes.Contains(box, x) && s.SolidDistance(x) > 0 {
			return x
		}
	}
	return middle
}

// evaluate sets dist to the shape's distances at pts.
func (d *Drops) evaluate(shape shapes.SDF) {
	d.dist = arrays.Resize(d.dist, len(d.pts))
	shape.Eval(d.dist, d.pts)
}

// TakeFrom removes up to a volume, m³, of the drops in a shape, and returns the volume removed.
func (d *Drops) TakeFrom(shape shapes.SDF, most float64) (took float64) {
	box, left := shape.Bounds(), most
	for i := range d.All {
		if p := &d.All[i]; left > 0 && boxes.Contains(box, p.X) && d.probe.Distance(shape.Eval, p.X) < 0 {
			part := min(left, p.Volume)
			p.Volume, left = p.Volume-part, left-part
			took += part
		}
	}
	if took > 0 {
		d.removeEmpty()
		d.sumVolume()
	}
	return took
}

// Remove removes the drops in a shape.
func (d *Drops) Remove(shape shapes.SDF) {
	if len(d.All) == 0 {
		return
	}
	d.pts = d.pts[:0]
	for i := range d.All {
		d.pts = append(d.pts, d.All[i].X)
	}
	d.evaluate(shape)
	for i := range d.All {
		if d.dist[i] < 0 {
			d.All[i].Volume = 0
		}
	}
	d.removeEmpty()
	d.sumVolume()
}
