package dev.tilewright.proof.bundle;

import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.file.FileVerdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of a proof of a config of a bundle. A ring that wrapped often enough on one problem has done so: the depth
 * of a proof is that of its deepest run.
 *
 * @param shapes one for each problem that was run; the last one may be wrong
 */
public record BundleProof(Config config, List<ShapeProof> shapes) {

    /** Of all problems together. */
    public enum Word {
        PROVED,
        SHALLOW,
        UNSUPPORTED,
        HAZARD,
        MISMATCH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public BundleProof {
        shapes = List.copyOf(shapes);
    }

    public Word word() {
        boolean proved = false;
        for (ShapeProof shape : shapes) {
            switch (shape.verdict()) {
                case FileVerdict.Hazardous _ -> {
                    return Word.HAZARD;
                }
                case FileVerdict.Wrong _ -> {
                    return Word.MISMATCH;
                }
                case FileVerdict.Unsupported _ -> {
                    return Word.UNSUPPORTED;
                }
                case FileVerdict.Proved _ -> proved = true;
                case FileVerdict.Shallow _ -> {}
            }
        }
        return proved ? Word.PROVED : Word.SHALLOW;
    }

    /** Runs that ended as they should. */
    public long runs() {
        return shapes.stream()
                .mapToLong(shape -> switch (shape.verdict()) {
                    case FileVerdict.Proved proved -> proved.effort().runs();
                    case FileVerdict.Shallow shallow -> shallow.effort().runs();
                    case FileVerdict.Hazardous _, FileVerdict.Wrong _, FileVerdict.Unsupported _ -> 0;
                })
                .sum();
    }

    /** The largest error over what is allowed, of the runs that ended as they should. */
    public double worstRatio() {
        return shapes.stream()
                .mapToDouble(shape -> switch (shape.verdict()) {
                    case FileVerdict.Proved proved -> proved.compared().worstRatio();
                    case FileVerdict.Shallow shallow -> shallow.compared().worstRatio();
                    case FileVerdict.Hazardous _, FileVerdict.Wrong _, FileVerdict.Unsupported _ -> 0;
                })
                .max()
                .orElse(0);
    }

    /** Counts the instructions that break accepted rules or bring warnings, of the shape with the most, as text. */
    public String accepted() {
        return shapes.stream()
                .map(shape -> shape.verdict().accepted())
                .max(Comparator.comparingInt(List::size))
                .map(AcceptedFinding::count)
                .orElse("");
    }

    /** The first problem that is not proved, with its result; empty if all are proved. */
    public Optional<ShapeProof> fault() {
        return switch (word()) {
            case PROVED -> Optional.empty();
            case SHALLOW, UNSUPPORTED, HAZARD, MISMATCH -> Optional.of(shapes.getLast());
        };
    }
}
