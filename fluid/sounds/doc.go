// Package sounds describes the sounds of a liquid, as plain data for any audio engine or middleware: the kind, the place, the energy in joules
// and the power in watts, and the size, which gives the pitch. It plays no sound itself.
//
// A liquid lists them if fluid.Def.Sounds is set. A game reads the list once after each step; it is valid until the next one, and reading it allocates
// nothing:
//
//	for _, s := range liquid.Events().Sounds {
//		switch s.Kind {
//		case sounds.Drop, sounds.PocketFormed, sounds.PocketClosed, sounds.PocketSurfaced: // events
//			audio.Play(s.Kind, s.Position, loudness(s.Energy), s.Frequency())
//		default: // lasting sounds: a voice per Kind and Key, which fades when it is not in the list
//			audio.Loop(s.Kind, s.Key, s.Position, loudness(s.Power), s.Frequency())
//		}
//	}
//
// The audible share of a splash's energy is tiny and nearly constant, so that a loudness in decibels grows with 10·log10 of Energy or Power: see
// [Source.Level].
//
// # What is measured, and what is a model
//
// Energy of a [Splash] is measured: it is the kinetic energy that liquid and bodies lose where the pressure slows them down by more than gravity does in the
// steepest wave that doesn't break, at more than [LeastSpeed]. For a drop that falls into a pool it is a good half of the energy of its fall, for a ball
// nearly all, with any step. Still liquid and smooth waves have none. The drops of [Drop] and [Rain] are measured too, the litres and
// speeds of [Tap], [Sink] and [Side], and the volumes of pockets. [Bubbles] are a model, as no grid resolves millimetres: plunging water entrains a fifth of
// its volume of air, which turbulence breaks into bubbles.
//
// The list follows from the liquid's state alone: any number of workers, and any machine, give the same list. It is not part of the state: hashes,
// snapshots and files do not include it.
package sounds
