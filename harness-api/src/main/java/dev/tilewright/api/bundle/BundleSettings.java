package dev.tilewright.api.bundle;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of bundles.
 *
 * @param quota of all zips together
 * @param cubins whether they may have cubins, of which nothing can be proved
 */
@ConfigurationProperties("tilewright.bundle")
record BundleSettings(
        @DefaultValue("4GB") DataSize quota,
        @DefaultValue("false") boolean cubins) {}
