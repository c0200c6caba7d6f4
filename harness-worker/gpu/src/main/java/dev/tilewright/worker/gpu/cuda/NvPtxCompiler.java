package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.worker.gpu.assembler.PtxLibrary;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.assembler.AssemblerReply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompileResult;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;

/**
 * The static PTX compiler inside JCuda's natives: needs neither a driver nor a CUDA installation. It is CUDA 12.0 and
 * knows nothing newer than PTX ISA 8.0 and sm_90a.
 */
public final class NvPtxCompiler implements PtxLibrary {

    @Override
    public AssemblerReply open() {
        int[] major = new int[1];
        int[] minor = new int[1];
        try {
            int result = JNvPTXCompiler.nvPTXCompilerGetVersion(major, minor);
            return result == nvPTXCompileResult.NVPTXCOMPILE_SUCCESS
                    ? new AssemblerReply.Ready(major[0] + "." + minor[0])
                    : new AssemblerReply.Unusable("nvPTXCompilerGetVersion: " + nvPTXCompileResult.stringFor(result));
        } catch (LinkageError noNatives) {
            return new AssemblerReply.Unusable("JCuda's natives cannot be loaded: " + noNatives.getMessage());
        }
    }

    @Override
    public AssemblerReply assemble(String ptx, String target) {
        byte[] text = (ptx + "\0").getBytes(StandardCharsets.UTF_8);
        nvPTXCompilerHandle compiler = new nvPTXCompilerHandle();
        int created = JNvPTXCompiler.nvPTXCompilerCreate(compiler, text.length, text);
        if (created != nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
            return new AssemblerReply.Refused("nvPTXCompilerCreate: " + nvPTXCompileResult.stringFor(created));
        }
        try {
            String[] options = {"--gpu-name=" + target, "--verbose"};
            int compiled = JNvPTXCompiler.nvPTXCompilerCompile(compiler, options.length, options);
            return switch (compiled) {
                case nvPTXCompileResult.NVPTXCOMPILE_SUCCESS ->
                    new AssemblerReply.Assembled(cubin(compiler), infoLog(compiler));
                case nvPTXCompileResult.NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION ->
                    new AssemblerReply.Unsupported(errorLog(compiler));
                default -> refusal(compiled, errorLog(compiler));
            };
        } finally {
            JNvPTXCompiler.nvPTXCompilerDestroy(compiler);
        }
    }

    /** An unknown target is reported as an invalid option. */
    private static AssemblerReply refusal(int result, String log) {
        String words = log.isEmpty() ? "nvPTXCompilerCompile: " + nvPTXCompileResult.stringFor(result) : log;
        return words.contains("gpu-name") ? new AssemblerReply.Unsupported(words) : new AssemblerReply.Refused(words);
    }

    private static Cubin cubin(nvPTXCompilerHandle compiler) {
        long[] size = new long[1];
        JNvPTXCompiler.nvPTXCompilerGetCompiledProgramSize(compiler, size);
        byte[] cubin = new byte[Math.toIntExact(size[0])];
        JNvPTXCompiler.nvPTXCompilerGetCompiledProgram(compiler, cubin);
        return new Cubin(cubin);
    }

    private static String errorLog(nvPTXCompilerHandle compiler) {
        long[] size = new long[1];
        JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(compiler, size);
        byte[] log = new byte[Math.toIntExact(size[0]) + 1];
        JNvPTXCompiler.nvPTXCompilerGetErrorLog(compiler, log);
        return text(log);
    }

    private static String infoLog(nvPTXCompilerHandle compiler) {
        long[] size = new long[1];
        JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(compiler, size);
        byte[] log = new byte[Math.toIntExact(size[0]) + 1];
        JNvPTXCompiler.nvPTXCompilerGetInfoLog(compiler, log);
        return text(log);
    }

    /** The library's strings end with a zero byte. */
    private static String text(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(Arrays.copyOf(bytes, end), StandardCharsets.UTF_8).strip();
    }
}
