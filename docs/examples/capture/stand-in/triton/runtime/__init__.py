"""Launches and autotuning."""
