public enum EntryPoint {}
