// Package sounds says what one would hear of a liquid, as plain data for any audio engine or middleware: what sounds, where, how strongly in joules
// or watts, and how large it is, which gives the pitch. It makes no sound itself.
//
// A liquid tells it if fluid.Def.Sounds asks for it. A game reads the list once after each step; it is valid until the next one, and reading it allocates
// nothing:
//
//	for _, s := range liquid.Events().Sounds {
//		switch s.Kind {
//		case sounds.Drop, sounds.PocketFormed, sounds.PocketClosed, sounds.PocketSurfaced: // events
//			audio.Play(s.Kind, s.Position, loudness(s.Energy), s.Frequency())
//		default: // what goes on: a voice per Kind and Key, which fades when it is not in the list
//			audio.Loop(s.Kind, s.Key, s.Position, loudness(s.Power), s.Frequency())
//		}
//	}
//
// What is audible of a splash's energy is a tiny and nearly constant part, so that a loudness in decibels grows with 10·log10 of Energy or Power: see
// [Source.Level].
//
// # What is measured, and what is a model
//
// Energy of a [Splash] is measured: it is the kinetic energy that liquid and bodies lose as the pressure slows them down by more than gravity does in the
// steepest wave that doesn't break, at more than [LeastSpeed]. Of a drop that falls into a pool it is a good half of the energy of its fall, of a ball that
// falls in about all, whatever the step. Still liquid and smooth waves have none. Measured are also the drops of [Drop] and [Rain], the litres and
// speeds of [Tap], [Sink] and [Side], and the volumes of pockets. [Bubbles] are a model, as no grid resolves millimetres: plunging water draws in a fifth of
// its volume, and its turbulence breaks that to bubbles.
//
// All of it follows from the liquid's state alone: any number of workers, and any machine, give the same list. It is no part of the state: neither
// hashes, snapshots nor files know it.
package sounds
