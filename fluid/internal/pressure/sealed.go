package pressure

import (
	"cmp"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/dense"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
)

// sealed are the closed components whose mean pressure the solve leaves out: no body makes room for
// what does not fit there, because there is none, its joints hold it, or it makes room for others
// already.
type sealed struct {
	singular []int32   // components
	yield    []float64 // of each: what bodies would give way by if their joints let them, m³/s per Pa·s; 0 if they do

	pockets  []pocket  // first the kept ones: those that are not sealed, then what is left of others
	kept     int       // how many
	disputed bool      // some are sealed by pockets that are kept
	push     []float64 // of the pockets: K1, six per body, less what those before push already
	motion   []float64 // of the pockets: W push
	share    []float64 // kept × kept: of the push of one in that of a later one
	lacks    []float64 // per component: what did not find room, m³/s
}

// pocket is a closed component that pushes bodies: by how much they give way to it, m³/s per Pa·s,
// free of their joints and with them.
type pocket struct {
	component    int32
	at           int // in push and motion
	free, joined float64
	room         float64 // that is left of joined
	step         float64 // scratch
}

const (
	// leastYield is the part of the wetted area, summed up as vectors, that must not cancel for a
	// component to push a body along. A pocket that a body encloses has none but rounding.
	leastYield = 1e-3
	// leastRoom is the part of what free bodies would give way by that joints and other pockets must
	// leave. A flap that turns about a hinge can not make room for a pocket on either side, and the
	// pressures that would be needed grow as this gets smaller.
	leastRoom = 1e-3
)

// findSealed lists the components that are sealed. Where several push the same body, the one to which it yields most
// is not sealed.
func (s *Solver) findSealed(bodies []rigid.Body) {
	s.singular, s.yield, s.pockets, s.push = s.singular[:0], s.yield[:0], s.pockets[:0], s.push[:0]
	s.resizeMotion(len(bodies))
	for c, closed := range s.Closed {
		if !closed {
			continue
		}
		free := s.pushes(int32(c), bodies)
		if free == 0 {
			s.singular, s.yield = append(s.singular, int32(c)), append(s.yield, 0)
			continue
		}
		s.mass.apply(s.impulse, s.kpi)
		s.pockets = append(s.pockets, pocket{component: int32(c), at: len(s.push), free: free, joined: dense.Dot(s.kpi, s.impulse)})
		s.push = append(s.push, s.kpi...)
	}
	slices.SortStableFunc(s.pockets, func(a, b pocket) int { return cmp.Compare(b.joined, a.joined) })
	s.keepPockets(6 * len(bodies))
}

// keepPockets keeps pockets whose push no others before have, by Gram and Schmidt; the rest are sealed.
// n: len of a push.
func (s *Solver) keepPockets(n int) {
	all := len(s.pockets)
	s.motion, s.share = arrays.Resize(s.motion, len(s.push)), arrays.Resize(s.share, all*all)
	s.kept, s.disputed = 0, false
	for _, p := range s.pockets {
		u, w := s.push[p.at:p.at+n], s.motion[p.at:p.at+n]
		for j := range s.pockets[:s.kept] {
			k := &s.pockets[j]
			share := dense.Dot(u, s.motion[k.at:k.at+n]) / k.room
			for i, x := range s.push[k.at : k.at+n] {
				u[i] -= float64(share * x)
			}
			s.share[s.kept*all+j] = share
		}
		s.mass.apply(w, u)
		if p.room = dense.Dot(u, w); p.room > leastRoom*p.free {
			s.pockets[s.kept] = p
			s.kept++
			continue
		}
		if p.joined > leastRoom*p.free {
			p.free, s.disputed = 0, true
		}
		s.singular, s.yield = append(s.singular, p.component), append(s.yield, p.free)
	}
}

// pushes sets kpi to the impulses on the bodies of a uniform pressure of 1 Pa·s in a component, and
// returns by how much they would give way without joints, m³/s.
func (s *Solver) pushes(c int32, bodies []rigid.Body) (free float64) {
	clear(s.kpi)
	for i := range s.gr.Bodies {
		if bodies[i].InverseMass == 0 {
			continue
		}
		w, sum := &s.gr.Bodies[i], (*[6]float64)(s.kpi[6*i:])
		size := 0.
		for e, r := range w.Row {
			if s.Label[r] == c {
				for d := range 6 {
					sum[d] += w.K[e][d]
				}
				size += abs(w.K[e][0]) + abs(w.K[e][1]) + abs(w.K[e][2])
			}
		}
		if max(abs(sum[0]), abs(sum[1]), abs(sum[2])) <= leastYield*size {
			*sum = [6]float64{}
			continue
		}
		var v [6]float64
		respond(&bodies[i], &v, sum)
		free += rigid.Dot(&v, sum)
	}
	return free
}

// press adds the constants to the pressure that the solve leaves open.
//
// A sealed component that joints hold presses on all that seals it: with the pressure by which the bodies would make room for what does not
// fit, were they free. So limits and brakes of joints give way where they are weaker.
func (s *Solver) press(bodies int) {
	if len(s.singular) == 0 {
		return
	}
	s.measureLacks(bodies)
	if s.disputed {
		s.level()
	}
	for k, c := range s.singular {
		if s.yield[k] > 0 {
			s.raise(c, s.lacks[c]/s.yield[k])
		}
	}
}

// measureLacks sums up what the solve leaves of the right-hand side, per component.
func (s *Solver) measureLacks(bodies int) {
	s.receive(bodies)
	s.lacks = arrays.Resize(s.lacks, len(s.Closed))
	clear(s.lacks)
	for r, c := range s.Label {
		s.lacks[c] += s.rhs[r]
	}
	for i := range s.gr.Bodies {
		w, v := &s.gr.Bodies[i], (*[6]float64)(s.impulse[6*i:])
		for e, r := range w.Row {
			s.lacks[s.Label[r]] -= rigid.Dot(&w.K[e], v)
		}
	}
}

// level takes what kept pockets lack to zero by constants: the solver gave the sealed ones beside them a
// mean of zero in the end, whatever it was before. A push is z_k = u_k + Σ share_kj u_j over j < k.
func (s *Solver) level() {
	kept, all := s.pockets[:s.kept], len(s.pockets)
	for k := range kept {
		p := &kept[k]
		left := s.lacks[p.component]
		for j := range kept[:k] {
			left -= float64(s.share[k*all+j] * kept[j].step * kept[j].room)
		}
		p.step = left / p.room
	}
	for k := len(kept) - 1; k >= 0; k-- {
		for j := range kept[:k] {
			kept[j].step -= float64(s.share[k*all+j] * kept[k].step)
		}
		s.raise(kept[k].component, kept[k].step)
	}
}

// raise adds a pressure, Pa·s, to a component.
func (s *Solver) raise(c int32, by float64) {
	for r, label := range s.Label {
		if label == c {
			s.pi[r] += by
		}
	}
}
