// Package testrig has what tests of several packages share: it makes liquids and bodies, spoils them, looks behind what package fluid exports, and checks
// what a game reads. Only tests import it.
package testrig
