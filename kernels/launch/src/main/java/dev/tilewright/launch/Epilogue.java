package dev.tilewright.launch;

import dev.tilewright.model.problem.Activation;
import java.util.Optional;

/**
 * What a GEMM does to its sums before it stores them: activation(alpha * A * B + beta * C + bias).
 *
 * @param addsC whether there is a C
 * @param bias along which dimension, if there is one
 */
public record Epilogue(double alpha, double beta, boolean addsC, Optional<Along> bias, Activation activation) {

    /** The sums as they are. */
    public static final Epilogue NONE = new Epilogue(1, 0, false, Optional.empty(), Activation.NONE);

    /** In short, such as {@code alpha 0.5, bias along n, relu}; {@code none} of plain sums. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (alpha != 1) {
            text.append(", alpha ").append(alpha);
        }
        if (addsC) {
            text.append(", C beta ").append(beta);
        }
        bias.ifPresent(along -> text.append(", bias along ").append(along));
        if (activation != Activation.NONE) {
            text.append(", ").append(activation);
        }
        return text.isEmpty() ? "none" : text.substring(2);
    }
}
