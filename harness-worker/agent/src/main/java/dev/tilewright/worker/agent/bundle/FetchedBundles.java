package dev.tilewright.worker.agent.bundle;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Bundles as the service has them: each version is fetched once, and must have the hash that its name says. */
public final class FetchedBundles implements Families.Brought {

    /** A study's own and those of its peers. Each may have 64 MiB. */
    private static final int KEPT = 1 + FamilySpace.MOST_PEERS;

    /** A service that starts again answers soon, and a final that has lost a peer is over for good. */
    private static final int TRIES = 3;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Source source;
    private final Map<BundleName, Fetched> kept = new LinkedHashMap<>(KEPT, 0.75f, true);

    /** Where zips come from. */
    @FunctionalInterface
    public interface Source {
        byte[] zip(String version) throws IOException, ApiRefusedException, InterruptedException;
    }

    /** A bundle, and the zip that it was read from. */
    record Fetched(BundleSpace space, byte[] zip) {}

    public FetchedBundles(Source source) {
        this.source = source;
    }

    @Override
    public Optional<FamilySpace> find(String family) {
        return BundleName.parse(family).map(name -> named(name).space());
    }

    /**
     * A version of a bundle.
     *
     * @throws IllegalArgumentException if it cannot be had, or is another one than its name says
     */
    synchronized Fetched named(BundleName name) {
        Fetched known = kept.get(name);
        if (known != null) {
            return known;
        }
        Fetched fetched = fetched(name);
        if (!fetched.space().family().equals(name.toString())) {
            throw new IllegalArgumentException(
                    "the service gave " + fetched.space().family() + " for " + name);
        }
        kept.put(name, fetched);
        if (kept.size() > KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
        return fetched;
    }

    private Fetched fetched(BundleName name) {
        String version = name.version()
                .orElseThrow(() -> new IllegalArgumentException("a lease names a version of a bundle, got " + name));
        try {
            byte[] zip = zip(version);
            return new Fetched(BundleSpace.unzipped(zip), zip);
        } catch (IOException | ApiRefusedException absent) {
            throw new IllegalArgumentException(name + " cannot be fetched: " + absent.getMessage(), absent);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException(name + " cannot be fetched: the worker is stopping", stopping);
        }
    }

    private byte[] zip(String version) throws IOException, ApiRefusedException, InterruptedException {
        for (int failed = 1; failed < TRIES; failed++) {
            try {
                return source.zip(version);
            } catch (IOException away) {
                Thread.sleep(PAUSE);
            }
        }
        return source.zip(version);
    }
}
