package dev.tilewright.emulator.foreign;

/** What the kernel {@code floats} of halves.cu does, for thread 0, in float64 where the kernel approximates. */
final class FloatsInJava implements Runnable {
    final double[] f;
    final double[] d;
    int w;
    long l;
    int c;

    FloatsInJava(float[] f, double[] d) {
        this.f = new double[f.length];
        for (int i = 0; i < f.length; i++) {
            this.f[i] = f[i];
        }
        this.d = d.clone();
    }

    @Override
    public void run() {
        f[0] = (float) (Math.sqrt(f[0])
                + 1 / Math.sqrt(f[1])
                + f[0] / f[2]
                + f[0] / f[3]
                + Math.exp(f[0])
                + Math.log(f[1])
                + Math.sin(f[0]));
        double x = f[0];
        f[4] = (float) (Math.min(x, f[1]) + Math.max(x, 1.5) + Math.abs(x) - Math.clamp(x, 0, 1) + x + Math.tanh(x));
        f[5] = (float) (x * f[1] + 2 + (x + f[1]) + 1 / x + Math.sqrt(x) + Math.max(0, x - f[1]));
        w = (int) x + (int) Math.rint(f[1]) + (int) Math.ceil(f[2]) + (int) d[0];
        l = (long) x + (long) Math.rint(x) + (long) d[1] + (long) Math.floor(d[0]);
        c = (int) x + Math.clamp(w, 0, 255) & 0xFF;
        f[6] = (float) (l + c + d[0] + Math.floor(x) + Math.rint(f[1]) + (int) f[2] + w);
        d[0] = d[0] * d[1] + d[2] / d[3] + Math.sqrt(d[0]) + x + w + l + Math.min(d[0], d[4]);
        f[7] = (float) (Math.sin(x) + Math.pow(x, f[1]) + Math.exp(x) + error(x));
    }

    /** The error function by its series. */
    private static double error(double x) {
        double sum = 0;
        double term = x;
        for (int n = 0; n < 400; n++) {
            sum += term / (2 * n + 1);
            term *= -x * x / (n + 1);
        }
        return x > 5 ? 1 : 2 / Math.sqrt(Math.PI) * sum;
    }
}
