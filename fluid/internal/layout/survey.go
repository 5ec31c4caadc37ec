package layout

import (
	"math"

	"github.com/kelindar/bitmap"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
)

// Survey is what is known of the liquid in each base cell: what the mesh measures there, and which blocks hold liquid or surface by that.
//
// Sets of blocks are of two kinds. A set that one goroutine fills and that is united with others, subtracted or counted is a bitmap: Wet
// and Band here, and those of sizing. Any other is a []bool. Loops over blocks write some of these in parallel, as which blocks the velocity
// reaches and which a sweep has changed: in a bitmap 64 blocks share a word, which two workers must not write at the same time. The rest, as
// which blocks are asleep or near thin walls, is only asked block by block.
type Survey struct {
	grid   *Grid
	domain r3.Box // m

	Nearest  []float32 // the surface's least distance from the centres of the block's cells, m
	Speed    []float32 // greatest of the surface across itself in the block, m/s
	Reach    []float32 // how far liquid may be from a cell's centre and come into the block in this step, m
	Fraction []float32 // part of the block that is liquid; solids and what is outside of the domain are not
	Volume   []float64 // of the liquid, m³
	Wet      bitmap.Bitmap
	Band     bitmap.Bitmap
	Fresh    []int32 // base cells whose block is new in this substep
	MaxSpeed float64 // m/s
}

// NewSurvey is a survey of a grid whose liquid is confined to a domain, m, and that has none.
func NewSurvey(g *Grid, domain r3.Box) Survey {
	n := g.Bases()
	s := Survey{
		grid: g, domain: domain, Nearest: make([]float32, n), Speed: make([]float32, n), Reach: make([]float32, n), Fraction: make([]float32, n), Volume: make([]float64, n),
	}
	s.Wet.Grow(uint32(n))
	s.Band.Grow(uint32(n))
	return s
}

// IsWet tells whether a block holds liquid.
func (s *Survey) IsWet(b int32) bool { return s.Wet.Contains(uint32(b)) }

// WetIn tells whether there is liquid in the blocks that a box, m, overlaps.
func (s *Survey) WetIn(box r3.Box) bool {
	lo, hi := s.grid.BaseRange(box)
	return s.anyWet(lo, hi)
}

// NearWet tells whether a box, m, comes within a base cell of liquid.
func (s *Survey) NearWet(box r3.Box) bool {
	if !boxes.Overlap(boxes.Grown(box, s.grid.H*Edge), s.domain) { // or it isn't finite
		return false
	}
	lo, hi := s.grid.BaseRange(box)
	for a := range 3 {
		lo[a]--
		hi[a]++
	}
	return s.anyWet(lo, hi)
}

func (s *Survey) anyWet(lo, hi [3]int) bool {
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				if b := s.grid.BaseAt(x, y, z); b >= 0 && s.IsWet(b) {
					return true
				}
			}
		}
	}
	return false
}

// bandReach, in finest cells, is how near to a block the surface must be for the block to count as at
// it: what the level set's band needs around it. What the surface moves in a step is added. bandSeen
// keeps that within what distances tell of.
const (
	bandReach = 2
	bandSeen  = .99
)

// Sort finds out which blocks are wet and which are at the surface, by what is measured of them, for a step of dt seconds. Distances hold within so many
// cells of the surface.
func (s *Survey) Sort(dt, band float64) {
	for b := range s.Nearest {
		cell := s.grid.CellSize(s.grid.Cur.Level[b])
		speed := s.SpeedAround(b)
		// A cell's centre is half a cell from the block's side.
		reach := float64(cell/2) + float64(bandReach*s.grid.H) + float64(float64(speed)*dt)
		reach = min(reach, bandSeen*band*cell)
		s.Set(int32(b), s.Fraction[b] > 0, float64(s.Nearest[b]) < reach)
	}
}

// Set has a block count as wet, and as at the surface, or not.
func (s *Survey) Set(b int32, wet, band bool) {
	put(s.Wet, b, wet)
	put(s.Band, b, band)
}

func put(m bitmap.Bitmap, b int32, on bool) {
	if on {
		m.Set(uint32(b))
	} else {
		m.Remove(uint32(b))
	}
}

// SpeedAround is the greatest speed of the surface across itself in and beside a block, m/s.
func (s *Survey) SpeedAround(b int) float32 {
	speed := s.Speed[b]
	for _, nb := range s.grid.Neighbour[b] {
		if nb != None {
			speed = max(speed, s.Speed[nb])
		}
	}
	return speed
}

// spare, in cells of a block, is how much further than it moves liquid may come in a step: to the middle of the cell that it comes
// into and across a face of the one beside it; and half a cell for what distances are out by.
const spare = 2

// FindReach finds out where liquid may come in a step of dt seconds: no further than what is on the move in and beside a block, or falls as fields
// accelerate it at most, m/s²; anywhere in blocks that are new, or as near to an opening, where liquid is put in or taken out, as it acts, m.
func (s *Survey) FindReach(dt, strongest float64, openings []r3.Box, near float64) {
	g := s.grid
	fall, everywhere := float64(dt*dt*strongest), float32(math.Inf(1))
	for b := range s.Reach {
		if g.Cur.First[b] != g.Prev.First[b] {
			s.Reach[b] = everywhere
			continue
		}
		s.Reach[b] = float32(float64(spare*g.CellSize(g.Cur.Level[b])) + float64(dt*float64(s.SpeedAround(b))) + fall)
	}
	for _, opening := range openings {
		g.EachBase(boxes.Grown(opening, near), func(b int32) { s.Reach[b] = everywhere })
	}
}

// AddReach has liquid in and around a box, m, come further by a distance, m.
func (s *Survey) AddReach(box r3.Box, distance float64) {
	s.grid.EachBase(boxes.Grown(box, distance), func(b int32) { s.Reach[b] += float32(distance) })
}
