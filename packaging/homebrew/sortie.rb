# Homebrew: brew install --build-from-source ./sortie.rb
class Sortie < Formula
  desc "Plays, solves and proves adversarial board games"
  homepage "@HOME@"
  url "@SOURCE@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "libarchive"
  depends_on "libmicrohttpd"

  uses_from_macos "sqlite"

  def install
    # Matches and grading run programs of others in a sandbox that only Linux has.
    matches = OS.linux? ? "ON" : "OFF"
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args,
           "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG",
           "-DSORTIE_TESTS=OFF", "-DSORTIE_CUDA=OFF", "-DSORTIE_MPI=OFF", "-DSORTIE_MATCHES=#{matches}"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"input.txt").write "2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n"
    system bin/"sortie-course"
    assert_equal "A2 Stake\n..\nXO\n", (testpath/"output.txt").read
    assert_match version.to_s, shell_output("#{bin}/sortie --version")
  end
end
