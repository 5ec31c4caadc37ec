package fluid

import "fmt"

// VolumeIn is how much liquid is in a shape, in litres. It reads cells whole, so a shape that is
// thinner than a cell is measured roughly. It does not allocate.
func (l *Liquid) VolumeIn(s SDF) (float64, error) {
	liquid, _, err := l.measure("VolumeIn", s)
	return liquid / litre, err
}

// DensityIn is the mass of the liquid in a shape over the part of the shape that is open to it, kg/m³:
// from 0, dry, to Def.Density, full. It is 0 where no part is open.
func (l *Liquid) DensityIn(s SDF) (float64, error) {
	liquid, open, err := l.measure("DensityIn", s)
	if open <= 0 {
		return 0, err
	}
	return l.def.Density * liquid / open, err
}

// measure sums the liquid in a shape and what of the shape solids leave, m³.
func (l *Liquid) measure(call string, s SDF) (liquid, open float64, err error) {
	if err := validateSDF(s); err != nil {
		return 0, 0, fmt.Errorf("fluid: %s: %w", call, err)
	}
	l.eachBase(s.Bounds(), func(b int32) {
		h := float32(l.grid.CellSize(l.grid.Cur.Level[b]))
		pts := l.centres(b)
		s.Eval(l.world.dist, pts)
		for i, d := range l.world.dist[:len(pts)] {
			c := l.grid.Cur.First[b] + int32(i)
			part := wetFraction(d, h) * l.solids.Volume[c]
			open += float64(part)
		}
		if l.blocksInfo.volume[b] == 0 {
			return
		}
		if l.show(pts) {
			s.Eval(l.world.dist, pts)
		}
		for i, d := range l.world.dist[:len(pts)] {
			c := l.grid.Cur.First[b] + int32(i)
			liquid += float64(wetFraction(d, h) * l.solids.Volume[c] * l.volumes.fraction[c])
		}
	})
	return liquid, open, nil
}
