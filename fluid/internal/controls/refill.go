package controls

import "math"

const (
	// refillTime, s, is how long it takes to bring a shape what it lacks, if its rate allows that.
	refillTime = .25
	// refillSlack is the part of a shape's volume by which the measure of what it holds may be wrong.
	refillSlack = .005
)

// Refill measures what is in the shapes, and adds to the sources of their rows, m³/s, what they lack, or takes away what they have too much, and what
// they grow and shrink by where air is around them: beside a pool they grow into what is there. What
// comes from a region, or goes there, is taken off the sources of its rows, or added. What a shape lacks after its column has brought most comes from
// the liquid that is in no shape.
func (s *Set) Refill(rows []float64) {
	for _, c := range s.All {
		if !c.acts() {
			continue
		}
		is := c.measureContent(s)
		whole := c.volume(s.Domain)
		wanted := max(0, whole-is.solid-is.given)
		held := max(0, wanted-is.lacks+is.cells-whole) // less what the cells' parts are off by together
		lacks := wanted - held
		c.Told.WantedL, c.Told.HeldL = wanted/litre, held/litre
		if c.awaits && held > drawnShare*wanted {
			c.awaits, c.rests = false, true
		}
		c.rests = c.rests && lacks > restShare*wanted
		most := float64(c.Def.Refill.Rate * litre)
		if c.rests {
			most = max(most, wanted/drawTime)
		}
		rate := float64(is.free * c.growth())
		if math.Abs(lacks) > refillSlack*wanted {
			rate += float64(lacks / refillTime)
		}
		if most > 0 && rate != 0 && !c.awaits {
			s.refill(c, max(-most, min(most-c.seed.put/s.dt, rate, mostFrom(held))), rows)
		}
		c.drawSeed(s, rows)
	}
}

// refill brings a shape liquid, m³/s, or takes it away.
func (s *Set) refill(c *Control, rate float64, rows []float64) {
	from := c.Def.Refill.From
	if from == nil && !c.rests {
		came := s.Cells.SpreadOver(c.rows, rate, rows) * s.dt / litre
		s.Ledger.FilledL += max(0, came)
		s.Ledger.DrainedL -= min(0, came)
		return
	}
	giver, taker := c.givers(s), c.rows
	if rate < 0 {
		giver, taker = taker, giver
	}
	if len(giver) > 0 && len(taker) > 0 {
		s.Cells.SpreadOver(taker, -s.Cells.SpreadOver(giver, -math.Abs(rate), rows), rows)
	}
}

// givers lists the rows that a shape's liquid comes from: those of a region, or all, that are in no shape.
func (c *Control) givers(s *Set) (others []int32) {
	s.list = s.list[:0]
	if from := c.Def.Refill.From; from != nil {
		s.list = s.Cells.RowsIn(s.list, from)
	} else {
		for r := range s.owner {
			s.list = append(s.list, int32(r))
		}
	}
	others = s.list[:0]
	for _, r := range s.list {
		if s.owner[r] == 0 {
			others = append(others, r)
		}
	}
	return others
}
