package dev.tilewright.proof.export;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A config of a family as a program named {@code exported}, beside the launch that it must make.
 *
 * @param addresses of its operands by the names of their buffers: the groups of an operand lie behind each other
 */
record ExportedProgram(KernelProgram program, KernelLaunch launch, Map<String, Long> addresses) {

    static ExportedProgram of(String family, Problem problem, Config config, DeviceLimits limits) {
        GemmFamily built = GemmFamilies.standard().named(family);
        KernelExport export = KernelExport.of(built, problem, config, limits);
        KernelProgram program = export.program("exported", Optional.empty());
        Map<String, Long> addresses = new LinkedHashMap<>();
        for (BufferRole role : new BufferRole[] {BufferRole.A, BufferRole.B, BufferRole.D}) {
            long next = Told.operand(role);
            for (BufferDescription buffer : export.launch().buffers()) {
                if (buffer.name().matches(role + "[0-9]*")) {
                    addresses.put(buffer.name(), next);
                    next += buffer.bytes();
                }
            }
        }
        return new ExportedProgram(program, built.build(config, false).launch(problem, limits, config), addresses);
    }

    /** A program in C that opens the kernel, binds it, launches it twice and gives all back. */
    String main(boolean scaled) {
        StringBuilder operands = new StringBuilder();
        program.launch().expected().stream()
                .filter(Expectation.Gemm.class::isInstance)
                .map(Expectation.Gemm.class::cast)
                .flatMap(gemm -> Stream.of(gemm.a(), gemm.b(), gemm.d()))
                .forEach(operand -> operands.append("    operands.%s = 0x%xull;\n"
                        .formatted(operand.buffer().toLowerCase(Locale.ROOT), addresses.get(operand.buffer()))));
        return """
                #include "exported.h"
                #include <stdio.h>

                static int said(int result) {
                    printf("%%s\\n", exported_error());
                    return result == -1 ? 2 : 1;
                }

                int main(void) {
                    exported_kernel *kernel;
                    exported_binding *binding;
                    exported_operands operands;
                    int result = exported_open(&kernel);
                    if (result != 0) return said(result);
                %s%s    if ((result = exported_bind(kernel, &operands, &binding)) != 0) return said(result);
                    for (int time = 0; time < 2; time++) {
                        if ((result = exported_run(binding, (void *)0x77)) != 0) return said(result);
                    }
                    exported_unbind(binding);
                    exported_close(kernel);
                    return 0;
                }
                """.formatted(operands, scaled ? "    operands.scale = 0.375f;\n" : "");
    }

    /** The same in Python. */
    String mainInPython() {
        String operands = addresses.entrySet().stream()
                .map(operand -> "\"%s\": 0x%x".formatted(operand.getKey().toLowerCase(Locale.ROOT), operand.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
        return """
                import exported

                kernel = exported.Kernel()
                binding = exported.Binding(kernel, %s)
                for _ in range(2):
                    binding.run(0x77, 0.375)
                binding.close()
                kernel.close()
                """.formatted(operands);
    }
}
