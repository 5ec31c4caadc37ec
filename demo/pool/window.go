package main

func runWindow(s settings) error { return nil }
