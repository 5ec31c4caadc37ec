package forces

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/reproducible"

	"github.com/meniscus3d/meniscus/fluid/internal/track"
)

// ContactAngle is the angle, in the liquid, at which a surface is to meet solids. Points of the surface are mirrored into the solid so that a plane that meets it at the angle goes
// on as a plane. One that meets it at another angle has a kink there, whose curvature drives it to the angle.
type ContactAngle struct{ sin, cot float64 }

// MakeContactAngle makes one of an angle between 0 and π, rad.
func MakeContactAngle(angle float64) ContactAngle {
	sin, cos := reproducible.Sincos(angle)
	return ContactAngle{sin, cos / sin}
}

// besideWall is how far from a solid, in cells times the angle's sine, points are left out. Velocities there are those further off, so that the surface next to a solid moves as a
// whole and keeps the angle that it had. With .5 and more the fits see too little of what is left, and the surface swings up.
const besideWall = .25

// Reach is how near to a solid points count, and how near they may matter as mirrored ones, m, to fits in cells of edge h, m: those at the solid reach as far from where they are into it,
// and cells that are cut by it may have theirs a cell within.
func (c ContactAngle) Reach(h float64) (least, most float64) {
	return besideWall * h * c.sin, (fitReach + 1) * h * c.sin
}

// grazingWall is the part of a normal along a wall below which a surface counts as parallel to it.
const grazingWall = 1e-3

// sharpest is the tangent of the sharpest kink at a solid, 75°: a fit takes points that face another way by a right angle and more for those of another surface, so that
// nothing would hold back a surface that is that far from its angle.
const sharpest = 3.73

// Mirror mirrors a point into a solid that is some way from it, m, along a unit normal out of the solid: p becomes p - 2sN + 2s cot θ t, with t the direction along the solid that the
// surface faces. Where the kink would be too sharp it is as sharp as can be. It is false where the surface is parallel to the solid.
func (c ContactAngle) Mirror(p *track.SurfacePoint, away float64, normal r3.Vec) (track.SurfacePoint, bool) {
	across := reproducible.Dot(p.Normal, normal)
	along := r3.Sub(p.Normal, reproducible.Scale(across, normal))
	part := reproducible.Norm(along)
	if !(part > grazingWall*reproducible.Norm(p.Normal)) {
		return track.SurfacePoint{}, false
	}
	slope := across / part
	after := float64(2*c.cot) - slope
	if d := 1 + float64(sharpest*slope); d > 0 {
		after = max(after, (slope-sharpest)/d)
	}
	if d := 1 - float64(sharpest*slope); d > 0 {
		after = min(after, (slope+sharpest)/d)
	}
	cot := (after + slope) / 2
	shift := r3.Sub(reproducible.Scale(cot/part, along), normal)
	return track.SurfacePoint{
		At:     r3.Add(p.At, reproducible.Scale(2*away, shift)),
		Normal: r3.Add(along, reproducible.Scale(after*part, normal)),
		Label:  p.Label,
	}, true
}
