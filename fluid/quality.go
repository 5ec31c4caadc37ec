package fluid

import "time"

// Quality is how much a scene may cost, for Def.At.
type Quality uint8

// The qualities. Each allows a step so much time, and divides the domain into so many finest cells.
const (
	LowQuality    Quality = iota // 4 ms, 100,000 cells: an old laptop, a phone, the far corner of a level
	MediumQuality                // 6 ms, 400,000 cells
	HighQuality                  // 10 ms, 1,200,000 cells: the water is what the scene is about
)

// grades are what the qualities ask for.
var grades = [...]struct {
	cells  float64
	levels int
	band   int
	step   time.Duration
}{
	LowQuality:    {100e3, 4, 4, 4 * time.Millisecond},
	MediumQuality: {400e3, 4, 8, 6 * time.Millisecond},
	HighQuality:   {1200e3, 4, 8, 10 * time.Millisecond},
}

// At is the definition with the cell size, levels, band and budget of a quality, for its domain; the rest stays. A quality that is not known
// counts as HighQuality. A Budget.Work that is set stays, and no time is set beside it.
//
// The shortest edge gets a whole number of cells, at least eight, and no more than MaxMemory allows. Only where the surface is, near bodies, and
// where the camera looks, are cells as fine as that; the budget makes the others up to eight times as large. What the cell must be depends on what is
// to be seen: nothing thinner than a cell is followed by the grid, a body floats as it should from four cells on, and a jet needs three.
//
//	scene                                 domain         cell             At gives, low to high
//	a cup, a sink, a bottle               .4 m           5 mm             9, 5, 4 mm
//	a bath tub, an aquarium               2 × 1 × 1 m    2 cm             2.7, 1.7, 1.2 cm
//	a pool in a room, a dam break         8 × 3 × 6 m    5 cm             11, 7, 5 cm
//	a lock, a canal with a boat           30 × 6 × 10 m  15 cm            26, 16, 11 cm
//	a harbour basin, waves on a beach     100 × 15 × 60  50 cm            96, 60, 42 cm
//
// For honey and lava cells may be twice as large: they have no splashes. For what a player holds in his hand, make a small domain of its own.
func (d Def) At(q Quality) Def {
	g := &grades[min(int(q), len(grades)-1)]
	d.Numerics.Levels, d.Numerics.Band = g.levels, g.band
	d.CellSize = d.withDefaults().extent().CellSize(g.cells)
	if d.Budget.Work == 0 {
		d.Budget.Step = g.step
	}
	return d
}
