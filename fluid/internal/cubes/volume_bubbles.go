package cubes

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/graph"
)

// The pressure keeps a bubble's volume, but the surface gains and loses liquid as it moves. The controller takes from the whole component what it
// gained, and so from the level of a pool what a bubble has lost. What came or went at a bubble's surface beyond what the velocity carried is
// to flow out of the bubble, or in, in the next substep.

// restoreLimit, in cells, is by how much that moves the bubble's surface at most.
const restoreLimit = .1

// restoreBubbles chooses what is to flow into the bubbles. Where bodies move, what they displace hides what the surface loses.
func (v *Volumes) restoreBubbles() {
	m := v.m
	gr := m.Graph
	for i := range gr.Bubbles {
		b := &gr.Bubbles[i]
		if len(b.Bodies) > 0 {
			continue
		}
		lost, area, whole := 0., 0., 0.
		base, end := int32(-1), int32(0)
		for k, f := range b.Faces {
			if f.Face >= end {
				lost += v.lostAt(base, area)
				base, area = v.baseOf(f.Face), 0
				end = gr.Parts[base+1].Face
			}
			part := float64(gr.Area[f.Face] * gr.Open[f.Face] * math.Abs(f.Share))
			area, whole = area+part, whole+part
			if k == len(b.Faces)-1 {
				lost += v.lostAt(base, area)
			}
		}
		most := float64(restoreLimit * m.CellSize * whole)
		b.Inflow = -max(-most, min(most, lost)) / m.Dt
	}
}

// baseOf is the base cell that a face is stored with.
func (v *Volumes) baseOf(face int32) int32 {
	parts := v.m.Graph.Parts
	at, _ := slices.BinarySearchFunc(parts, face+1, func(p graph.Part, f int32) int { return int(p.Face - f) })
	return int32(at) - 1
}

// lostAt is the share of a block's error, m³, of so much of its surface, m².
func (v *Volumes) lostAt(b int32, area float64) float64 {
	if b < 0 {
		return 0
	}
	gr, whole := v.m.Graph, 0.
	for f := gr.Parts[b].Face; f < gr.Parts[b+1].Face; f++ {
		if gr.A[f]|gr.B[f] < 0 {
			whole += float64(gr.Area[f] * gr.Open[f] * (gr.AirShare(gr.A[f]) + gr.AirShare(gr.B[f])))
		}
	}
	if whole == 0 {
		return 0
	}
	return v.errorOf(b) * min(1, area/whole)
}
