package dev.tilewright.api.bundle;

import java.time.Instant;

/**
 * A stored bundle, without its zip.
 *
 * @param hash SHA-256 over its files
 * @param bytes of the zip
 */
record BundleRow(String hash, String name, int bytes, String uploadedBy, Instant uploadedAt) {}
